#!/bin/bash
# Looks on the stack for what a key or a message has left there, after each function that makes one-time passwords and
# on each path that this processor has: two calls that differ in nothing else must leave the same words. The functions
# are compiled with a release's options: a debug build keeps every variable on the stack.
#
#   key-traces.sh
#
# Exit code: 0 nothing is left, 1 something is (shown), 2 the search itself is broken.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

options=(-O2 -fPIC -fno-omit-frame-pointer)
# Bound lazily, the first call of a library's function would leave what the loader saves of the registers.
[ "$(uname)" = Darwin ] || options+=(-Wl,-z,now)
clang "${options[@]}" -I "$root/Sources/CHashBlocks/include" \
    "$root"/Sources/CHashBlocks/*.c "$root/Tests/Scripts/key-traces.c" -o "$folder/key-traces"
echo -n "key-traces: "
"$folder/key-traces"
