"""The reader of captioned photos: what it accepts, and what it says when it cannot."""

import pytest

from core.benchmark.datasets.captions import read_captions
from core.errors import DatasetError


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "images").mkdir()
    for name in ("a.jpg", "b.jpg", "c.jpg"):
        (tmp_path / "images" / name).write_bytes(b"not looked at")
    write(tmp_path, 'image,caption\na.jpg,one\na.jpg,"two, with ""quotes"""\nb.jpg,three\n')
    return tmp_path


def write(folder, captions=None, split=None, encoding="utf-8"):
    if captions is not None:
        (folder / "captions.csv").write_bytes(captions.encode(encoding))
    if split is not None:
        (folder / "split.csv").write_bytes(split.encode(encoding))


def refusal(folder):
    with pytest.raises(DatasetError) as error:
        read_captions(folder)
    assert error.value.advice
    return error.value.message


def test_captions_are_grouped_by_photo_in_order(folder):
    found = read_captions(folder)
    assert [(p.name, p.captions) for p in found.photos] == [
        ("a.jpg", ("one", 'two, with "quotes"')),
        ("b.jpg", ("three",)),
    ]
    assert (found.split, found.captions, found.repeated) == ("all", 3, 0)
    assert found.photos[0].path == folder / "images" / "a.jpg"


def test_a_byte_order_mark_other_line_ends_and_column_orders_are_read(folder):
    write(folder, "﻿Caption, image\r\none,a.jpg\r\n\r\ntwo,b.jpg\r\n")
    assert [p.captions for p in read_captions(folder).photos] == [("one",), ("two",)]


def test_a_caption_may_hold_a_line_end(folder):
    write(folder, 'image,caption\na.jpg,"one\ntwo"\n')
    assert read_captions(folder).photos[0].captions == ("one\ntwo",)


def test_repeated_rows_count_once_and_are_told(folder):
    write(folder, "image,caption\na.jpg,one\na.jpg,one\nb.jpg,one\n")
    found = read_captions(folder)
    assert (found.captions, found.repeated) == (2, 1)


def test_only_test_photos_are_used_where_there_is_a_split(folder):
    write(folder, split="image,split\na.jpg,train\nb.jpg,test\n")
    found = read_captions(folder)
    assert ([p.name for p in found.photos], found.split) == (["b.jpg"], "test")


def test_photos_outside_the_split_need_no_file(folder):
    (folder / "images" / "a.jpg").unlink()
    write(folder, split="image,split\na.jpg,train\nb.jpg,test\n")
    assert len(read_captions(folder).photos) == 1


def test_a_limit_takes_a_seeded_sample_that_grows_by_photos(folder):
    write(folder, "image,caption\na.jpg,one\nb.jpg,two\nc.jpg,three\n")
    found = read_captions(folder)
    one, two = found.first(1, 4), found.first(2, 4)
    assert two.photos[:1] == one.photos
    assert found.first(None, 4) is found
    assert {found.first(1, seed).photos[0].name for seed in range(20)} > {"a.jpg"}


@pytest.mark.parametrize(
    ("captions", "said"),
    [
        ("", "lacks the column image and caption"),
        ("image,text\na.jpg,one\n", "lacks the column caption"),
        ("image,caption\n", "holds no captions"),
        ("image,caption\na.jpg,one, two\n", "line 2: 3 fields instead of 2"),
        ("image,caption\na.jpg\n", "line 2: 1 fields instead of 2"),
        ("image,caption\na.jpg,\n", "line 2: the caption is empty"),
        ('image,caption\na.jpg,"one" two\n', "line 2"),
        ('image,caption\na.jpg,"one\n', "captions.csv, line"),
        ("image,caption\n../a.jpg,one\n", "line 2: “../a.jpg” is no file name"),
        ("image,caption\n/etc/a.jpg,one\n", "is no file name"),
        ("image,caption\nC:\\a.jpg,one\n", "is no file name"),
        ("image,caption\n,one\n", "line 2: “” is no file name"),
        ("image,caption\nd.jpg,one\ne.jpg,two\n", "2 of 2 photos are missing from images/: d.jpg"),
        ("image,caption\na.jpg,o\0ne\n", "not a text file in UTF-8"),
    ],
)
def test_malformed_captions_are_named(folder, captions, said):
    write(folder, captions)
    assert said in refusal(folder)


def test_another_encoding_is_named_with_its_line(folder):
    write(folder, "image,caption\na.jpg,one\nb.jpg,café\n", encoding="latin-1")
    assert "line 3: the text is not UTF-8" in refusal(folder)
    write(folder, "image,caption\na.jpg,one\n", encoding="utf-16")
    assert "not UTF-8" in refusal(folder)


@pytest.mark.parametrize(
    ("split", "said"),
    [
        ("image\na.jpg\n", "lacks the column split"),
        ("image,split\na.jpg,train\n", "has no test photos"),
        ("image,split\na.jpg,test\na.jpg,train\n", "line 3: a.jpg is in two splits"),
        ("image,split\nc.jpg,test\n", "c.jpg of the test split: no caption"),
    ],
)
def test_malformed_splits_are_named(folder, split, said):
    write(folder, split=split)
    assert said in refusal(folder)


def test_missing_parts_are_named(tmp_path):
    assert "no folder images/" in refusal(tmp_path)
    (tmp_path / "images").mkdir()
    assert "captions.csv cannot be read" in refusal(tmp_path)
