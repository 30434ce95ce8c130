#!/bin/sh
# Trains both networks from the seed and writes weights/: sh train.sh <folder for the work> <folder of OCRB.otf and OCRBS.otf> <fonts for words, joined by commas>
# Needs Node 24 and a Python with requirements.txt; takes about 90 minutes of one core.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$1
zone="$2/OCRB.otf,$2/OCRBS.otf"
python=${PYTHON:-python3}
mkdir -p "$work/finder"
for part in 0 1 2 3 4 5 6 7; do
  first=$((200000 + part * 500))
  node "$here/draw.ts" "$work/finder/$part.bin" $first $((first + 500)) "$zone" "$3"
done
"$python" "$here/train.py" finder --folder "$work/finder" --out "$work/finder.weights.h5" --steps 8000 --rate 3e-3 --shards 8 --rhythm 500
node "$here/draw-glyphs.ts" "$work/glyphs.bin" "$2/OCRB.otf" "$2/OCRBS.otf"
"$python" "$here/train.py" strips --folder "$work/strips" --glyphs "$work/glyphs.bin" --shards 60 --beside 0.6
"$python" "$here/train.py" recogniser --folder "$work/strips" --out "$work/recogniser.weights.h5" --steps 9000 --shards 60 --rhythm 130
"$python" "$here/train.py" export --folder "$here/../weights" --finder "$work/finder.weights.h5" --recogniser "$work/recogniser.weights.h5"
