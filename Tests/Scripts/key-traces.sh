#!/bin/bash
# Searches the stack for what remains of a key or a message after each function that makes one-time passwords, on each
# path that this processor has. Two calls that differ only in the key or the message must leave the same words. The
# functions are compiled as in a release: a debug build keeps every variable on the stack.
#
#   key-traces.sh
#
# Exit code: 0 nothing remains, 1 something remains (shown), 2 the search itself is broken.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

options=(-O2 -fPIC -fno-omit-frame-pointer)
# With lazy binding, the loader saves registers on the stack in the first call of a library function.
[ "$(uname)" = Darwin ] || options+=(-Wl,-z,now)
clang "${options[@]}" -I "$root/Sources/CHashBlocks/include" \
    "$root"/Sources/CHashBlocks/*.c "$root/Tests/Scripts/key-traces.c" -o "$folder/key-traces"
echo -n "key-traces: "
"$folder/key-traces"
