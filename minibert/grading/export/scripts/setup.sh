#!/usr/bin/env bash
# Gradescope runs this once, as root, when it builds the image.
set -euo pipefail
cd /autograder/source
apt-get update -qq || true
apt-get install -y -qq bubblewrap || echo "bubblewrap is not available: answers will run as another user instead"
apt-get install -y -qq python3 python3-venv
python3 -c 'import sys; assert sys.version_info >= (3, 10), "choose an image with Python 3.10 or later"'
python3 -m venv /opt/minibert
pip="/opt/minibert/bin/python -m pip install --quiet --constraint package/constraints.txt"
$pip --index-url https://download.pytorch.org/whl/cpu --no-deps torch       # PyPI has only the builds with CUDA
$pip "./package[course]"
chmod -R go-rwx /autograder/source                                          # protects the hidden tests
