#!/bin/bash
# Looks through the stack for words of keys after each function that makes one-time passwords, on each path that this
# processor has. They are compiled as a release is: a debug build keeps every variable on the stack.
#
#   key-traces.sh
#
# Exit code: 0 nothing is left, 1 something is (shown), 2 the search itself is broken.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for optimisation in -O2 -Os; do
    # Static: the first call through a procedure linkage table would leave what the loader saves of the registers.
    clang "$optimisation" -static -I "$root/Sources/CHashBlocks/include" \
        "$root"/Sources/CHashBlocks/*.c "$root/Tests/Scripts/key-traces.c" -o "$folder/key-traces"
    echo "key-traces $optimisation: $("$folder/key-traces")"
done
