#!/bin/sh
# Trains both networks from the seed and writes weights/: sh train.sh <folder for the work> <folder of OCRB.otf and OCRBS.otf> <fonts for words, joined by commas>
# Needs Node 24 and a Python with requirements.txt; takes about an hour of one core.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$1
zone="$2/OCRB.otf,$2/OCRBS.otf"
python=${PYTHON:-python3}
mkdir -p "$work/finder"
node "$here/draw-glyphs.ts" "$work/glyphs.bin" "$2/OCRB.otf" "$2/OCRBS.otf"
node "$here/draw.ts" "$work/finder/a.bin" 100000 100450 "$zone" "$3"
node "$here/draw.ts" "$work/finder/b.bin" 101000 101450 "$zone" "$3"
"$python" "$here/train.py" strips --folder "$work/strips" --glyphs "$work/glyphs.bin" --shards 24
"$python" "$here/train.py" recogniser --folder "$work/strips" --out "$work/recogniser.weights.h5" --steps 6000 --shards 24
"$python" "$here/train.py" finder --folder "$work/finder" --out "$work/finder.weights.h5" --steps 2200 --rate 3e-3
"$python" "$here/train.py" export --folder "$here/../weights" --finder "$work/finder.weights.h5" --recogniser "$work/recogniser.weights.h5"
