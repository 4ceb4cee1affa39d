"""`python -m recipes distil`: training data whose targets are an autoregressive twin's words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from controldag.cli.console import Json, Quiet, counting, out, print_json, remark
from controldag.errors import InvalidInput, MissingDependency


def distil(
    config: Annotated[str, typer.Argument(help="A preset or YAML file of training with `distilled_from`.")],
    twin: Annotated[Path | None, typer.Argument(help="Folder of the trained twin.")] = None,
    prepared: Annotated[Path, typer.Option("--prepared", help="Folder of prepared data.")] = Path("prepared"),
    data: Annotated[
        Path | None, typer.Option("--data", help="Folder of the data sets ($CONTROLDAG_DATA).", show_default=False)
    ] = None,
    beams: Annotated[int, typer.Option(min=1, help="Of the twin's search.")] = 5,
    length_penalty: Annotated[float, typer.Option(min=0.0, help="Of the twin's search.")] = 0.6,
    device: Annotated[str, typer.Option(help="Where the twin runs: cpu, cuda.")] = "cpu",
    prepare_only: Annotated[bool, typer.Option("--prepare-only", help="Prepare the inputs, and stop.")] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Have a twin say every training input (and parts of them), for a graph model to learn from.

    Writes the prepared folder that `controldag train CONFIG` reads. Where it leaves out a value, people's words stay.
    """
    try:
        from controldag.model.definition.saving import load_model
        from controldag.model.inference.devices import device_of
        from controldag.model.twin.network import ART5ForGeneration
        from controldag.model.twin.predict import Saying, fast_speaker
        from controldag.training.corpus import save_corpus
        from controldag.training.options import load_options
        from controldag.training.prepare import data_folder, open_prepared, prepared_name
        from recipes.distil.retell import LONGEST, told
    except ImportError as error:
        raise MissingDependency.of("torch", "model", "distillation") from error
    options = load_options(config).data
    if not options.distilled_from:
        remedy = "See the preset dart-small."
        raise InvalidInput.of("data.distilled_from", "name the twin that tells the data", config, remedy=remedy)
    inputs = replace(options, distilled_from="")
    corpus = open_prepared(
        inputs, prepared / prepared_name(inputs), data or data_folder(), lambda text: remark(text, quiet=quiet)
    )
    if prepare_only:
        out.print(str(prepared / prepared_name(inputs)))
        return
    if twin is None:
        raise InvalidInput.of(
            "TWIN", "be the folder of a trained twin", None, remedy=f"Train {options.distilled_from} first."
        )
    model = load_model(twin, tokenizer=corpus.tokenizer_model)
    if not isinstance(model, ART5ForGeneration):
        raise InvalidInput.of("twin", "be an autoregressive one (ar_t5)", model.config.model_type)
    model.to(device_of(device)).eval()  # type: ignore[arg-type]
    how = Saying(beams=beams, max_length=LONGEST, length_penalty=length_penalty)
    with counting(len(corpus.train), "telling", quiet=quiet or as_json) as progress:
        made = told(corpus, fast_speaker(model), options.distilled_from, how, progress)
    folder = prepared / prepared_name(options)
    save_corpus(folder, made.corpus)
    if as_json:
        counts = {"by_twin": made.by_twin, "by_people": made.by_people, "left_out": made.left_out}
        print_json({"prepared": str(folder), "pairs": len(made.corpus.train), **counts})
    else:
        out.print(
            f"{folder}: {len(made.corpus.train):,} pairs; inputs in the twin's words {made.by_twin:,}, "
            f"in people's {made.by_people:,}, left out {made.left_out:,}"
        )
