#!/bin/sh
# Trains both networks from the seed and writes weights/: sh train.sh <folder for the work> <folder of OCRB.otf and OCRBS.otf> <fonts for words, joined by commas>
# Needs Node 24 and a Python with requirements.txt; takes about 20 minutes of one core.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$1
zone="$2/OCRB.otf,$2/OCRBS.otf"
python=${PYTHON:-python3}
mkdir -p "$work/finder"
node "$here/draw-glyphs.ts" "$work/glyphs.bin" "$2/OCRB.otf" "$2/OCRBS.otf"
node "$here/draw.ts" "$work/finder/a.bin" 100000 100400 "$zone" "$3"
"$python" "$here/train.py" finder --folder "$work/finder" --out "$work/finder.weights.h5" --steps 1300 --rate 3e-3
# First lines alone, then also their ends and what lies beside them.
"$python" "$here/train.py" strips --folder "$work/strips" --glyphs "$work/glyphs.bin" --shards 26
"$python" "$here/train.py" recogniser --folder "$work/strips" --out "$work/first.weights.h5" --steps 6000 --until 1500 --shards 26
"$python" "$here/train.py" strips --folder "$work/strips" --glyphs "$work/glyphs.bin" --first 26 --shards 36 --beside 0.8
"$python" "$here/train.py" recogniser --folder "$work/strips" --start "$work/first.weights.h5" --out "$work/recogniser.weights.h5" --steps 1800 --rate 1.5e-3 --shards 36 --rhythm 0
"$python" "$here/train.py" export --folder "$here/../weights" --finder "$work/finder.weights.h5" --recogniser "$work/recogniser.weights.h5"
