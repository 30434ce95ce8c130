#!/bin/sh
# Draws pictures that no training has seen and reads them: sh measure.sh <folder for them> <count> <folder of OCRB.otf and OCRBS.otf> <fonts for words, joined by commas>
set -eu
here=$(cd "$(dirname "$0")" && pwd)
first=900000
node "$here/draw.ts" "$1" $first $((first + $2)) "$3/OCRB.otf,$3/OCRBS.otf" "$4"
node "$here/measure.ts" "$1" "$here/../weights"
