"""Writes the facts of many photos at once: one statement for all, so that a hundred thousand
photos take seconds rather than minutes."""

from collections.abc import Mapping

from core.domain.photo import PhotoFacts, PhotoId
from core.store.database import Database
from core.store.photo_rows import values_of_facts
from core.store.tags import replace_tags


def write_facts(
    database: Database, facts: Mapping[PhotoId, PhotoFacts], before: Mapping[PhotoId, PhotoFacts]
) -> None:
    """Replace what is known of photos; `before` is what was, so that equal tags are left alone.

    Joins the open transaction.
    """
    if not facts:
        return
    rows = [values_of_facts(one) | {"id": photo_id} for photo_id, one in facts.items()]
    columns = ", ".join(f"{name} = :{name}" for name in rows[0] if name != "id")
    with database.write() as connection:
        connection.exec_driver_sql(f"UPDATE photos SET {columns} WHERE id = :id", rows)
        for photo_id, one in facts.items():
            if one.tags != before[photo_id].tags:
                replace_tags(connection, photo_id, one.tags)
