"""Writes the networks as ONNX, with the names and the metadata of the published NeMo exports."""

import warnings

import onnx
import torch
from torch import nn

import network
from vocabulary import BLANK, write_bpe_vocabulary, write_tokens

AUTHOR = {"version": "1", "model_author": "Longhand", "comment": "A toy for tests; it recognizes 20 words"}


class Step(nn.Module):
    """One step of the stream as a module, because the export takes modules."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, *inputs):
        return self.model.step(*inputs)


def write(module, inputs, path, input_names, output_names, axes, metadata):
    """Exports one module and adds its metadata."""
    module.eval()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            module, inputs, str(path), input_names=input_names, output_names=output_names, dynamic_axes=axes,
            opset_version=17, dynamo=False)
    model = onnx.load(str(path))
    for key, value in metadata.items():
        model.metadata_props.add(key=key, value=str(value))
    onnx.save(model, str(path))


def export_ctc(model, folder):
    """Writes the folder of the offline CTC model."""
    folder.mkdir(parents=True, exist_ok=True)
    write_tokens(folder)
    write_ctc(model, folder, {
        "vocab_size": BLANK, "subsampling_factor": network.SUBSAMPLING, "normalize_type": "per_feature",
        "model_type": "EncDecCTCModelBPE", **AUTHOR})


def write_ctc(model, folder, metadata):
    """Writes model.onnx of an offline CTC model."""
    write(
        model, (torch.zeros(1, network.MELS, 200), torch.tensor([200])), folder / "model.onnx",
        ["audio_signal", "length"], ["logprobs"],
        {"audio_signal": {0: "batch", 2: "time"}, "length": {0: "batch"}, "logprobs": {0: "batch", 1: "frames"}},
        metadata)


def export_streaming_ctc(model, folder):
    """Writes the folder of the streaming CTC model."""
    folder.mkdir(parents=True, exist_ok=True)
    write_tokens(folder)
    write_streaming_ctc(model, folder, {
        "vocab_size": BLANK, "subsampling_factor": network.SUBSAMPLING, "normalize_type": "",
        "model_type": "EncDecCTCModelBPE", **AUTHOR})


def write_streaming_ctc(model, folder, metadata):
    """Writes model.onnx of a streaming CTC model: its sizes are the network's."""
    window = network.CHUNK_SHIFT + network.LOOKAHEAD
    inputs = (
        torch.zeros(1, network.MELS, window), torch.tensor([window]),
        torch.zeros(1, network.BLOCKS, network.MEMORY, network.WIDTH),
        torch.zeros(1, network.BLOCKS, network.WIDTH, network.KERNEL - 1), torch.tensor([0]))
    input_names = ["audio_signal", "length", "cache_last_channel", "cache_last_time", "cache_last_channel_len"]
    output_names = [
        "logprobs", "encoded_lengths", "cache_last_channel_next", "cache_last_time_next", "cache_last_channel_next_len"]
    write(
        Step(model), inputs, folder / "model.onnx", input_names, output_names,
        {name: {0: "batch"} for name in input_names + output_names},
        {"window_size": window, "chunk_shift": network.CHUNK_SHIFT,
         "cache_last_channel_dim1": network.BLOCKS, "cache_last_channel_dim2": network.MEMORY,
         "cache_last_channel_dim3": network.WIDTH, "cache_last_time_dim1": network.BLOCKS,
         "cache_last_time_dim2": network.WIDTH, "cache_last_time_dim3": network.KERNEL - 1,
         **metadata})


def export_tdt(model, folder):
    """Writes the folder of the transducer, with bpe.vocab for hotwords."""
    folder.mkdir(parents=True, exist_ok=True)
    write_tokens(folder)
    write_bpe_vocabulary(folder)
    write_transducer(model.encoder, model.decoder, model.joiner, network.WIDTH, folder, {
        "vocab_size": BLANK, "subsampling_factor": network.SUBSAMPLING, "normalize_type": "per_feature",
        "model_type": "EncDecRNNTBPEModel", **AUTHOR})


def write_transducer(encoder, decoder, joiner, width, folder, metadata):
    """Writes the three files of a transducer. width: the channels of an encoded frame."""
    write(
        encoder, (torch.zeros(1, network.MELS, 200), torch.tensor([200])), folder / "encoder.onnx",
        ["audio_signal", "length"], ["outputs", "encoded_lengths"],
        {"audio_signal": {0: "batch", 2: "time"}, "length": {0: "batch"}, "outputs": {0: "batch", 2: "frames"},
         "encoded_lengths": {0: "batch"}},
        {"pred_rnn_layers": 1, "pred_hidden": network.PREDICTION, "feat_dim": network.MELS, "url": "toy-tdt",
         **metadata})
    state = torch.zeros(1, 1, network.PREDICTION)
    write(
        decoder,
        (torch.zeros(1, 1, dtype=torch.int32), torch.ones(1, dtype=torch.int32), state, state.clone()),
        folder / "decoder.onnx", ["targets", "target_length", "states.1", "onnx::Slice_3"],
        ["outputs", "prednet_lengths", "states", "states.3"],
        {"targets": {0: "batch", 1: "tokens"}, "target_length": {0: "batch"}, "states.1": {1: "batch"},
         "onnx::Slice_3": {1: "batch"}, "outputs": {0: "batch", 2: "tokens"}, "prednet_lengths": {0: "batch"},
         "states": {1: "batch"}, "states.3": {1: "batch"}}, {})
    write(
        joiner, (torch.zeros(1, width, 1), torch.zeros(1, network.PREDICTION, 1)),
        folder / "joiner.onnx", ["encoder_outputs", "decoder_outputs"], ["outputs"],
        {"encoder_outputs": {0: "batch", 2: "frames"}, "decoder_outputs": {0: "batch", 2: "tokens"},
         "outputs": {0: "batch", 1: "frames", 2: "tokens"}}, {})
