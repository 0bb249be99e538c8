"""Writes a tiny random language model as a quantised GGUF file."""

from pathlib import Path

import gguf
import numpy as np

WIDTH, LAYERS, HEADS, INNER, CONTEXT = 64, 2, 4, 128, 1024
QUANTISED = gguf.GGMLQuantizationType.Q4_1


def write_tiny(path: Path) -> Path:
    """A llama of two layers over bytes and printable characters; the same file every time."""
    writer = gguf.GGUFWriter(path, "llama")
    size = _add_vocabulary(writer)
    _add_shape(writer, size)
    _add_weights(writer, size)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _add_vocabulary(writer: gguf.GGUFWriter) -> int:
    kind = gguf.TokenType
    rows = [("<unk>", kind.UNKNOWN), ("<s>", kind.CONTROL), ("</s>", kind.CONTROL)]
    rows += [(f"<0x{byte:02X}>", kind.BYTE) for byte in range(256)]
    rows += [(letter, kind.NORMAL) for letter in ("▁", *map(chr, range(33, 127)))]
    writer.add_tokenizer_model("llama")
    writer.add_tokenizer_pre("default")
    writer.add_token_list([text for text, _ in rows])
    writer.add_token_types([kind for _, kind in rows])
    writer.add_token_scores([-float(i) for i in range(len(rows))])
    writer.add_unk_token_id(0)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_add_bos_token(True)
    writer.add_add_space_prefix(False)
    return len(rows)


def _add_shape(writer: gguf.GGUFWriter, size: int) -> None:
    writer.add_name("tiny")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_vocab_size(size)
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_Q4_1)


def _add_weights(writer: gguf.GGUFWriter, size: int) -> None:
    rng = np.random.default_rng(0)

    def add(name: str, rows: int, columns: int, scale: float) -> None:
        values = (rng.standard_normal((rows, columns)) * scale).astype(np.float32)
        packed = gguf.quants.quantize(values, QUANTISED)
        writer.add_tensor(f"{name}.weight", packed, raw_dtype=QUANTISED)

    def add_norm(name: str) -> None:
        writer.add_tensor(f"{name}.weight", np.ones(WIDTH, np.float32))

    add("token_embd", size, WIDTH, 0.5)
    add("output", size, WIDTH, 0.5)
    add_norm("output_norm")
    for layer in range(LAYERS):
        for name in ("attn_norm", "ffn_norm"):
            add_norm(f"blk.{layer}.{name}")
        for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
            add(f"blk.{layer}.{name}", WIDTH, WIDTH, 0.1)
        add(f"blk.{layer}.ffn_gate", INNER, WIDTH, 0.1)
        add(f"blk.{layer}.ffn_up", INNER, WIDTH, 0.1)
        add(f"blk.{layer}.ffn_down", WIDTH, INNER, 0.1)
