#!/usr/bin/env bash
# The data that `tools/on_gpu.sh words` reads, copied from the data folder $1 to prepared/data: 48 MiB.
# The rule and the tokenizer in prepared/words are learnt first, and the texts in prepared/taught written, unless they are
# there (two minutes, and half an hour, of one core).
set -euo pipefail
cd "$(dirname "$0")/.."
from=${1:?name the data folder}
to=prepared/data
if [ ! -f prepared/words/tokenizer.model ]; then
  .venv/bin/python -m controldag.training.learn_words "$from" prepared/words
fi
teach() { test -f "prepared/taught/$1.jsonl.gz" || .venv/bin/python -m recipes teach "$1" "$from" --to prepared/taught "${@:2}"; }
teach invented --count 50000
teach facts --count 30000
teach told --count 5000
files=(sgd/train.jsonl.gz sgd/dev.jsonl.gz sgd/train/schema.json sgd/dev/schema.json dart/train.jsonl.gz
  corpora/plain/sentences.txt.xz)
for number in 1 2 3 4 5; do files+=("corpora/sgdx/v$number/train/schema.json"); done
for name in sgd_train_user multiwoz_templates multiwoz_valtest rnnlg star camrest crosswoz_en viggo taskmaster3_part; do
  files+=("corpora/acts/$name.jsonl.gz")
done
for name in rel2text wdv pararel_synth webnlg_train_seencat; do files+=("corpora/triples/$name.jsonl.gz"); done
for file in "${files[@]}"; do install -D -m 644 "$from/$file" "$to/$file"; done
install -D -m 644 -t "$to/taught" prepared/taught/*
install -D -m 644 -t "$to/words" prepared/words/schema_words.json prepared/words/tokenizer.model
du -sh "$to"
