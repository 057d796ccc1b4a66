#!/bin/bash
# Compares `authenticator oath` with oathtool (Debian package oathtool) on random keys, times, counters, digits, steps
# and hash functions: 10,000 inputs, each one code; then windows, which both print in one go.
#
#   oathtool-agreement.sh [SEED] [COUNT]        AUTHENTICATOR=path of the program, when it is not the debug build
#
# Exit code: 0 all agree, 1 they differ (the inputs are shown, with the seed), 77 skipped: no oathtool here.
set -euo pipefail
export LC_ALL=C

seed=${1:-$RANDOM$RANDOM}
count=${2:-10000}
root=$(cd "$(dirname "$0")/../.." && pwd)
authenticator=${AUTHENTICATOR:-$root/.build/debug/authenticator}

if ! command -v oathtool > /dev/null; then
    echo "oathtool-agreement: skipped: oathtool is not installed (apt-get install oathtool)" >&2
    exit 77
fi
if [ ! -x "$authenticator" ]; then
    echo "oathtool-agreement: $authenticator is missing; build it with: swift build --product authenticator" >&2
    exit 1
fi
echo "oathtool-agreement: seed $seed, $count inputs"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# One line an input, in the form that `authenticator oath batch` reads. oathtool has HOTP with SHA-1 only, and for TOTP
# no more than 8 digits.
awk -v seed="$seed" -v count="$count" 'BEGIN {
    srand(seed)
    for (i = 0; i < count; i++) {
        bytes = 1 + int(rand() * (rand() < 0.1 ? 150 : 64)); key = ""
        for (j = 0; j < bytes; j++) key = key sprintf("%02x", int(rand() * 256))
        digits = 6 + int(rand() * 3)
        if (rand() < 0.7) {
            time = int(rand() * (rand() < 0.8 ? 2147483648 : 100000000000))
            step = rand() < 0.5 ? 30 : 1 + int(rand() * 3600)
            split("SHA1 SHA256 SHA512", names, " ")
            printf "totp %s %.0f %d %d %s\n", key, time, digits, step, names[1 + int(rand() * 3)]
        } else {
            # Numbers beyond 2^53 would not be whole numbers in awk; the end of the counter is tested elsewhere.
            counter = int(rand() * (rand() < 0.5 ? 1000 : 9007199254740991))
            printf "hotp %s %.0f %d SHA1\n", key, counter, digits
        }
    }
}' > "$folder/inputs"

"$authenticator" oath batch < "$folder/inputs" > "$folder/ours"

# xargs starts oathtool once a line, without a shell in between.
awk '$1 == "totp" { print "--totp=" tolower($6), "--now=@" $3, "--digits=" $4, "--time-step-size=" $5 "s", $2 }
     $1 == "hotp" { print "--hotp", "--counter=" $3, "--digits=" $4, $2 }' "$folder/inputs" > "$folder/arguments"
xargs -L 1 oathtool < "$folder/arguments" > "$folder/theirs"

if ! diff -q "$folder/ours" "$folder/theirs" > /dev/null; then
    echo "oathtool-agreement: differences (seed $seed): input | ours | theirs" >&2
    paste -d'|' "$folder/inputs" "$folder/ours" "$folder/theirs" | awk -F'|' '$2 != $3' | head -20 >&2
    exit 1
fi
[ "$(wc -l < "$folder/ours")" -eq "$count" ]
[ "$(sort -u "$folder/ours" | wc -l)" -gt $((count / 2)) ]

# The options of the subcommands, and windows.
head -25 "$folder/inputs" | while read -r kind key moment digits rest; do
    read -r step algorithm <<< "$rest"
    if [ "$kind" = totp ]; then
        ours=$("$authenticator" oath totp --key-fd 0 --key-format hex --time "$moment" --digits "$digits" \
            --step "$step" --algorithm "$algorithm" --window 40 <<< "$key")
        theirs=$(oathtool --totp="${algorithm,,}" --now="@$moment" --digits="$digits" --time-step-size="${step}s" \
            --window=40 "$key")
    else
        ours=$("$authenticator" oath hotp --key-fd 0 --key-format hex --counter "$moment" --digits "$digits" \
            --window 40 <<< "$key")
        theirs=$(oathtool --hotp --counter="$moment" --digits="$digits" --window=40 "$key")
    fi
    if [ "$ours" != "$theirs" ]; then
        echo "oathtool-agreement: the windows differ (seed $seed): $kind $key $moment $digits $rest" >&2
        exit 1
    fi
done

# Keys in Base32.
key=$(awk 'NR == 7 { print $2 }' "$folder/inputs")
base32=$(for ((i = 0; i < ${#key}; i += 2)); do printf "\\x${key:i:2}"; done | base32 -w0)
ours=$("$authenticator" oath hotp --key-fd 0 --key-format base32 --counter 7 <<< "$base32")
[ "$ours" = "$(oathtool --hotp --counter=7 "$key")" ]

echo "oathtool-agreement: $count codes and 25 windows agree"
