#!/usr/bin/env bash
# Builds Longhand, and puts into a folder what an image needs of it: the programs, the model, and libraries that are not
# Debian's.
#
# usage: collect.sh FOLDER
set -euo pipefail
cd "$(dirname "$0")/../../.."

folder=$1
make install DESTDIR="$folder" PREFIX=/usr/local
# What `make setup` installed.
mkdir -p "$folder/usr/local/share/pocketsphinx" "$folder/usr/local/lib"
cp -R /usr/local/share/pocketsphinx/model "$folder/usr/local/share/pocketsphinx/"
cp /usr/local/lib/lib{sherpa-onnx-c-api,onnxruntime}.so "$folder/usr/local/lib/"
# Swift's own.
ldd "$folder"/usr/local/bin/longhand "$folder"/usr/local/libexec/longhand/* |
  awk '$3 ~ /\/swift\// {print $3}' | sort -u | xargs cp -t "$folder/usr/local/lib"
