"""DA-T5 (Control-DAG §2): T5's encoder, a decoder without causal mask over the vertices, token head and links.

Shapes: B examples, N source tokens, L vertices, M target positions (`<s>` and `</s>` counted), C = d_model, V tokens.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import PreTrainedModel
from transformers.utils.generic import ModelOutput

from controldag.errors import InvalidInput
from controldag.model.definition import alignment, dag_loss, emission
from controldag.model.definition.config import DAT5Config
from controldag.model.definition.dag_loss import Graphs
from controldag.model.definition.fuzzy import fuzzy_overlap, miscount
from controldag.model.definition.glancing import NONE, choose_glance, force_emissions
from controldag.model.definition.layers import (
    DecoderBlock,
    Encoder,
    RelativeBias,
    RMSNorm,
    StreamStart,
    compile_parts,
    init_t5,
    padding_bias,
    shared_biases,
)
from controldag.model.definition.links import Links


@dataclass
class DagOutput(ModelOutput):
    """What a forward pass gives: with `labels` a loss and its statistics, without them the graph."""

    loss: Tensor | None = None  # scalar: −Σ log P(target | graph) / number of target positions, or the fuzzy loss
    statistics: Tensor | None = None  # [4] sums: −log-likelihood, positions, wrong in the first pass, revealed
    logits: Tensor | None = None  # [B, L, V]
    links: Tensor | None = None  # [B, L, L] log-probabilities
    graph_sizes: Tensor | None = None  # [B]


class DAT5ForGeneration(PreTrainedModel):
    """The directed acyclic T5: from source tokens to token and transition probabilities of a graph."""

    config_class = DAT5Config
    config: DAT5Config
    base_model_prefix = "da_t5"
    main_input_name = "input_ids"
    _no_split_modules = ["EncoderBlock", "DecoderBlock"]  # noqa: RUF012

    def __init__(self, config: DAT5Config) -> None:
        super().__init__(config)
        config.check()
        width = config.d_model
        self.embedding = nn.Embedding(config.vocab_size, width)
        rows = config.decoder_vocab_size
        self.vertex_embedding = nn.Embedding(rows, width) if rows else None
        self.vertex_positions = nn.Embedding(config.max_positions, width)
        self.vertex_norm = RMSNorm(width, config.layer_norm_epsilon)
        self.encoder = Encoder(config)
        self.decoder_positions = RelativeBias(config, causal=False)
        self.decoder_start = StreamStart(config)
        self.decoder_blocks = nn.ModuleList(DecoderBlock(config) for _ in range(config.num_decoder_layers))
        self.decoder_norm = RMSNorm(width, config.layer_norm_epsilon)
        self.output = nn.Linear(width, width)
        self.links = Links(config)
        self.head = None if config.tied_head else nn.Linear(width, config.vocab_size, bias=False)
        self.fused = False  # Triton kernels in the loss; see `use_fused_loss`
        self.post_init()

    @torch.no_grad()
    def _init_weights(self, module: nn.Module) -> None:
        init_t5(module, self.config)
        if module is self:
            for table in (self.embedding, self.vertex_embedding, self.vertex_positions, self.links.positions):
                if table is not None:
                    nn.init.normal_(table.weight)
            for layer in (self.output, self.links.query, self.links.key, self.links.gate):
                nn.init.normal_(layer.weight, std=layer.in_features**-0.5)
                nn.init.zeros_(layer.bias)
            if self.head is not None:
                nn.init.normal_(self.head.weight, std=self.config.d_model**-0.5)

    def get_input_embeddings(self) -> nn.Module:
        """The source embedding."""
        return self.embedding

    def use_fused_loss(self, on: bool = True) -> None:
        """Switches the Triton kernels of the loss on or off."""
        self.fused = on

    def compile_blocks(self) -> None:
        """Compiles the repeated parts (one encoder block, one decoder block, links, norms), for shapes that vary."""
        norms = (self.vertex_norm, self.decoder_norm, self.encoder.norm)
        compile_parts(*self.encoder.blocks, *self.decoder_blocks, self.links, *norms)

    def vertex_inputs(self, embedded: Tensor, lengths: Tensor, graph_sizes: Tensor, width: int) -> Tensor:
        """Decoder inputs [B, L, C] before the norm: `<s> <unk> … <unk> </s>`, positions, and copies of the source.

        `embedded` [B, N, C] are the source's embeddings. The three tokens' rows are spread by comparison, not looked
        up: the backward of a look-up is slow where nearly all of its indices are the same.
        """
        config, table = self.config, self._vertex_table()
        place = torch.arange(width, device=embedded.device)
        first = (place == 0)[None, :, None]
        last = (place[None] == graph_sizes[:, None] - 1)[..., None]
        row = torch.where(last, table[config.eos_token_id], table[config.unk_token_id])
        inputs = torch.where(first, table[config.bos_token_id], row) + self.vertex_positions.weight[:width]
        if config.copy_source:
            spot = (place[None] * lengths[:, None] // graph_sizes[:, None]).clamp_max(embedded.shape[1] - 1)
            inputs = inputs + embedded.gather(1, spot[..., None].expand(-1, -1, embedded.shape[2]))
        return inputs

    def _vertex_table(self) -> Tensor:
        return self.embedding.weight if self.vertex_embedding is None else self.vertex_embedding.weight

    def vertex_features(self, inputs: Tensor, memory: Tensor, mask: Tensor, vertex_mask: Tensor) -> Tensor:
        """Features [B, L, C] of the vertices, as head and links take them."""
        x = self.decoder_start(self.vertex_norm(inputs))
        width = inputs.shape[1]
        own = (self.decoder_positions(width, width), padding_bias(vertex_mask))
        self_biases = shared_biases(self.decoder_blocks, x, own)
        cross_biases = shared_biases(self.decoder_blocks, x, (padding_bias(mask),))
        for block in self.decoder_blocks:
            x = block(x, memory, self_biases, cross_biases)
        x = functional.dropout(self.decoder_norm(x), self.config.dropout_rate, self.training)
        return cast(Tensor, self.output(x))

    def head_inputs(self, features: Tensor) -> tuple[Tensor, Tensor]:
        """Features and weights [V, C] whose product are the logits."""
        if self.head is not None:
            return features, self.head.weight
        scale = self.config.d_model**-0.5 if self.config.scaled_head else 1.0
        return features * scale, self.embedding.weight

    def logits(self, features: Tensor) -> Tensor:
        """Scores [B, L, V] of all tokens."""
        scaled, weight = self.head_inputs(features)
        return functional.linear(scaled, weight)

    def graph_sizes(self, lengths: Tensor, target_lengths: Tensor | None = None, given: Tensor | None = None) -> Tensor:
        """Vertices of each graph [B], `given` or from the source lengths (in training at least the target's length)."""
        config = self.config
        if given is None:
            sizes = torch.ceil(config.vertices_per_token * lengths.double() - 1e-9).long()
            sizes = sizes.clamp(config.min_vertices, config.max_vertices)
        else:
            sizes = given.long()
        return sizes if target_lengths is None else torch.maximum(sizes, target_lengths)

    def forward(
        self,
        input_ids: Tensor,
        labels: Tensor | None = None,
        graph_width: int | None = None,
        reveal_rate: Tensor | None = None,
        normaliser: Tensor | None = None,
        forced: bool = True,
        fuzzy_order: int = 0,
        counted: Tensor | None = None,
        miscount_weight: float = 0.0,
        graph_sizes: Tensor | None = None,
        **unused: Any,
    ) -> DagOutput:
        """The loss of `labels` [B, M] (padded with the pad token), or the graph where there are none.

        `graph_width` is L, for callers who know it; without it the largest graph of the batch decides. `reveal_rate`
        (scalar tensor) is the glancing rate; None trains without glancing. With `forced`, a revealed vertex emits its
        token with probability 1. The loss is divided by `normaliser`, or by the number of target positions. With a
        `fuzzy_order`, the loss is the mean of −`fuzzy_overlap` instead, without glancing; `miscount` of the labels that
        are `counted` [B, M] is added with its weight. `graph_sizes` [B]: instead of those that the source lengths give.
        """
        mask = input_ids != self.config.pad_token_id
        lengths = mask.sum(1)
        target_lengths = None if labels is None else (labels != self.config.pad_token_id).sum(1)
        sizes = self.graph_sizes(lengths, target_lengths, graph_sizes)
        width = int(sizes.max()) if graph_width is None else graph_width
        if width > self.config.max_positions:
            raise InvalidInput.of("graph_width", f"be at most `max_positions` ({self.config.max_positions})", width)
        vertex_mask = torch.arange(width, device=sizes.device)[None] < sizes[:, None]
        embedded = self.embedding(input_ids)
        memory = self.encoder(embedded, mask)
        inputs = self.vertex_inputs(embedded, lengths, sizes, width)
        if labels is None or target_lengths is None:
            features = self.vertex_features(inputs, memory, mask, vertex_mask)
            return DagOutput(logits=self.logits(features), links=self.links(features, vertex_mask), graph_sizes=sizes)
        batch = _TrainingBatch(memory, mask, vertex_mask, inputs, labels, sizes, target_lengths)
        if fuzzy_order:
            return self._fuzzy_loss(batch, fuzzy_order, counted, miscount_weight)
        return self._loss(batch, reveal_rate, normaliser, forced)

    def _fuzzy_loss(self, batch: _TrainingBatch, order: int, counted: Tensor | None, weight: float) -> DagOutput:
        features = self.vertex_features(batch.inputs, batch.memory, batch.mask, batch.vertex_mask)
        chosen = self._token_scores(features, batch.labels).chosen
        links = self.links(features, batch.vertex_mask)
        graphs = Graphs(chosen, links, batch.graph_sizes, batch.target_lengths)
        missed = -fuzzy_overlap(graphs, batch.labels, order)
        if counted is not None:
            missed = missed + weight * miscount(graphs, batch.labels, counted)
        positions = batch.target_lengths.float()
        none = torch.zeros((), device=links.device)
        statistics = torch.stack([(missed.detach() * positions).sum(), positions.sum(), none, none])
        return DagOutput(loss=missed.mean(), statistics=statistics)

    def _loss(
        self, batch: _TrainingBatch, reveal_rate: Tensor | None, normaliser: Tensor | None, forced: bool
    ) -> DagOutput:
        inputs = batch.inputs
        positions = batch.target_lengths.sum()
        revealed = None
        wrong = shown = torch.zeros((), device=inputs.device)
        if reveal_rate is not None:
            revealed, wrong, shown = self._glance(batch, reveal_rate)
            inputs = self._show(inputs, revealed)
        features = self.vertex_features(inputs, batch.memory, batch.mask, batch.vertex_mask)
        scores = self._token_scores(features, batch.labels)
        chosen = scores.chosen
        if revealed is not None and forced:
            chosen = force_emissions(chosen, revealed, batch.labels)
        links = self.links(features, batch.vertex_mask)
        graphs = Graphs(chosen, links, batch.graph_sizes, batch.target_lengths)
        total = self._log_likelihood(graphs)
        # A target without any path (longer than its graph) says nothing: it is left out, not turned into NaN.
        cost = -torch.where(total.isfinite(), total, torch.zeros_like(total)).sum()
        statistics = torch.stack([cost.detach(), positions.float(), wrong.float(), shown.float()])
        return DagOutput(loss=cost / (positions if normaliser is None else normaliser), statistics=statistics)

    def _glance(self, batch: _TrainingBatch, rate: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Revealed tokens [B, L] and the numbers of wrong and revealed positions, from a first pass."""
        with torch.no_grad():
            features = self.vertex_features(batch.inputs, batch.memory, batch.mask, batch.vertex_mask)
            scores = self._token_scores(features, batch.labels)
            links = self.links(features, batch.vertex_mask)
            graphs = Graphs(scores.chosen, links, batch.graph_sizes, batch.target_lengths)
            aligned = self._best_alignment(graphs)
            glance = choose_glance(aligned, scores.chosen, scores.best, batch.labels, batch.target_lengths, rate)
        return glance.tokens, glance.wrong.sum(), glance.revealed.sum()

    def _show(self, inputs: Tensor, revealed: Tensor) -> Tensor:
        """Vertex inputs with the revealed tokens' embeddings (and positions) in place."""
        pad = self.config.pad_token_id  # never revealed: it stands for “nothing here” and collects no gradient
        tokens = torch.where(revealed == NONE, pad, revealed)
        shown = functional.embedding(tokens, self._vertex_table(), padding_idx=pad)
        shown = shown + self.vertex_positions.weight[: inputs.shape[1]]
        return torch.where((revealed != NONE)[..., None], shown, inputs)

    def _token_scores(self, features: Tensor, labels: Tensor) -> emission.TokenScores:
        scaled, weight = self.head_inputs(features)
        if self.fused:
            return emission.fused_token_scores(scaled, weight, labels)
        return emission.token_scores(scaled, weight, labels)

    def _log_likelihood(self, graphs: Graphs) -> Tensor:
        if self.fused:
            from controldag.model.kernels import dag_loss_triton

            return dag_loss_triton.log_likelihood(graphs)
        return dag_loss.log_likelihood(graphs)

    def _best_alignment(self, graphs: Graphs) -> alignment.Alignment:
        if self.fused:
            from controldag.model.kernels import dag_loss_triton

            return dag_loss_triton.best_alignment(graphs)
        return alignment.best_alignment(graphs)


@dataclass(frozen=True, slots=True)
class _TrainingBatch:
    """What both passes of a training step share."""

    memory: Tensor  # [B, N, C]
    mask: Tensor  # [B, N]
    vertex_mask: Tensor  # [B, L]
    inputs: Tensor  # [B, L, C]
    labels: Tensor  # [B, M]
    graph_sizes: Tensor  # [B]
    target_lengths: Tensor  # [B]
