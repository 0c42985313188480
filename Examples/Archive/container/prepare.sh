#!/bin/sh
# Makes Debian 12 with the files of collect.sh the image: installs the libraries that they need, and adds a user without
# rights.
set -eu
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
  libavformat59 libavcodec59 libswresample4 libavutil57 libsndfile1 libarchive13 libsqlite3-0 libpulse0 \
  libmicrohttpd12 libnettle8 libflite1 libcurl4 libxml2 libgomp1 tzdata >/dev/null
rm -rf /var/lib/apt/lists/*
ldconfig
useradd --create-home longhand
