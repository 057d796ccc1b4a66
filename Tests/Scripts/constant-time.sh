#!/bin/bash
# Checks that the comparisons of ConstantTime take a time that does not depend on the bytes, in the code that an
# optimizing compiler makes of them. The check is checked as well: it must report comparisons that are wrong on purpose.
#
#   constant-time.sh
#
# Exit code: 0 nothing is found, 1 something is (shown), 2 the check itself is broken.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
echo "module CPrimitives { header \"$root/Sources/CPrimitives/include/constant_time.h\" export * }" \
    >"$folder/module.modulemap"

# check NAME SOURCE: compiles a file as a release does and looks at its functions.
check() {
    local options=(
        -O -parse-as-library -package-name swift_orchestration -module-name "$1" -swift-version 6
        -enable-upcoming-feature InternalImportsByDefault -I "$folder" "$2")
    swiftc "${options[@]}" -emit-ir -o "$folder/$1.ll"
    swiftc "${options[@]}" -emit-assembly -o "$folder/$1.s"
    python3 "$root/Tests/Scripts/constant-time.py" "$folder/$1.ll" "$folder/$1.s"
}

if check Wrong "$root/Tests/Scripts/constant-time.swift" >"$folder/wrong"; then
    echo "constant-time: nothing was found in comparisons that are wrong on purpose" >&2
    exit 2
fi
while IFS=: read -r function finding; do
    if ! grep -q "$function.*:.*$finding" "$folder/wrong"; then
        echo "constant-time: not found: $function: $finding" >&2
        cat "$folder/wrong" >&2
        exit 2
    fi
done <<'END'
earlyExit: a branch depends on a secret
withoutBarrier: the result does not come through the barrier
lookup: an address depends on a secret
call: a function is called
mask: a branch depends on a secret
END

echo -n "constant-time: "
check ConstantTime "$root/Sources/Primitives/Secrets/ConstantTime.swift" >"$folder/right" || {
    cat "$folder/right"
    exit 1
}
cat "$folder/right"
# A comparison that moves to another file is not to go unchecked.
grep -q "^5 functions" "$folder/right" || { echo "constant-time: other functions than the five expected" >&2; exit 2; }
