"""Writes a model of the least size that a llama.cpp server takes: random weights, a vocabulary of single bytes.

Usage: model.py FILE. What it says is nonsense; that it keeps to a schema is the server's grammar alone.
"""

import sys

import gguf
import numpy

WIDTH, LAYERS, HEADS, FORWARD, CONTEXT = 64, 2, 4, 128, 4096
random = numpy.random.default_rng(1)
pieces = [("<unk>", gguf.TokenType.UNKNOWN), ("<s>", gguf.TokenType.CONTROL), ("</s>", gguf.TokenType.CONTROL)]
pieces += [(f"<0x{byte:02X}>", gguf.TokenType.BYTE) for byte in range(256)]
pieces += [("\u2581" if byte == 32 else chr(byte), gguf.TokenType.NORMAL) for byte in range(32, 127)]

writer = gguf.GGUFWriter(sys.argv[1], "llama")
writer.add_name("tiny")
writer.add_context_length(CONTEXT)
writer.add_embedding_length(WIDTH)
writer.add_block_count(LAYERS)
writer.add_feed_forward_length(FORWARD)
writer.add_head_count(HEADS)
writer.add_head_count_kv(HEADS)
writer.add_rope_dimension_count(WIDTH // HEADS)
writer.add_layer_norm_rms_eps(1e-5)
writer.add_vocab_size(len(pieces))
writer.add_tokenizer_model("llama")
writer.add_tokenizer_pre("default")
writer.add_token_list([text.encode() for text, _ in pieces])
writer.add_token_scores([-float(index) for index in range(len(pieces))])
writer.add_token_types([kind for _, kind in pieces])
writer.add_unk_token_id(0)
writer.add_bos_token_id(1)
writer.add_eos_token_id(2)


def add(name, *shape):
    values = random.normal(0, 0.2, shape) if len(shape) > 1 else numpy.ones(shape)
    writer.add_tensor(name, values.astype(numpy.float32))


add("token_embd.weight", len(pieces), WIDTH)
add("output_norm.weight", WIDTH)
add("output.weight", len(pieces), WIDTH)
for layer in range(LAYERS):
    add(f"blk.{layer}.attn_norm.weight", WIDTH)
    add(f"blk.{layer}.ffn_norm.weight", WIDTH)
    for part in ("q", "k", "v", "output"):
        add(f"blk.{layer}.attn_{part}.weight", WIDTH, WIDTH)
    add(f"blk.{layer}.ffn_gate.weight", FORWARD, WIDTH)
    add(f"blk.{layer}.ffn_up.weight", FORWARD, WIDTH)
    add(f"blk.{layer}.ffn_down.weight", WIDTH, FORWARD)
writer.write_header_to_file()
writer.write_kv_data_to_file()
writer.write_tensors_to_file()
writer.close()
