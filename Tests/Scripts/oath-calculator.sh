#!/bin/bash
# What `authenticator oath` prints and how it ends: each case with its standard output, standard error and exit code.
#
#   oath-calculator.sh        AUTHENTICATOR=path of the program, when it is not the debug build
set -uo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
authenticator=${AUTHENTICATOR:-$root/.build/debug/authenticator}
sha1=3132333435363738393031323334353637383930
sha256=${sha1}313233343536373839303132
sha512=${sha1}${sha1}${sha1}31323334
failures=0 cases=0

# expect CODE STDOUT STDERR-PATTERN KEY ARGUMENTS…: the key is on descriptor 3, the PIN "1234" on 4, nothing on 5. There
# is no terminal (setsid), so that a program that asks for a secret fails.
expect() {
    local code=$1 output=$2 errors=$3 key=$4 actual status stderr
    shift 4
    cases=$((cases + 1))
    stderr=$(mktemp)
    actual=$(setsid -w "$authenticator" oath "$@" 2> "$stderr" < /dev/null 3<<< "$key" 4<<< 1234 5< /dev/null)
    status=$?
    if [ "$status" -ne "$code" ] || [ "$actual" != "$output" ] || ! [[ "$(cat "$stderr")" =~ ^${errors}$ ]]; then
        echo "oath $*: exit code $status, wanted $code" >&2
        printf 'output: %s\nwanted: %s\nerrors: %s\nwanted: %s\n' "$actual" "$output" "$(cat "$stderr")" "$errors" >&2
        failures=$((failures + 1))
    fi
    rm -f "$stderr"
}
refuse() { expect 2 "" "authenticator: $1.*" "${@:2}"; }

# RFC 4226 appendix D, RFC 6238 appendix B
expect 0 755224 "" $sha1 hotp --key-fd 3
expect 0 520489 "" $sha1 hotp --key-fd 3 --counter 9
expect 0 $'755224\n287082\n359152' "" $sha1 hotp --key-fd 3 --window 2
expect 0 755224 "" GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ hotp --key-fd 3
expect 0 755224 "" "gezd gnbv gy3t qojq gezd gnbv gy3t qojq" hotp --key-fd 3 --key-format base32
expect 0 94287082 "" $sha1 totp --key-fd 3 --time 59 --digits 8
expect 0 94287082 "" $sha1 totp --key-fd 3 --time @59 --digits 8
expect 0 46119246 "" $sha256 totp --key-fd 3 --time 59 --digits 8 --algorithm sha256
expect 0 90693936 "" $sha512 totp --key-fd 3 --time 1970-01-01T00:00:59Z --digits 8 --algorithm SHA512
expect 0 69279037 "" $sha1 totp --key-fd 3 --time 2033-05-18T03:33:20Z --digits 8
expect 0 '{"oneTimePassword":"94287082","expiresIn":1}' "" $sha1 totp --key-fd 3 --time 59 --digits 8 --json
expect 0 '{"oneTimePassword":"755224","following":["287082"]}' "" $sha1 hotp --key-fd 3 --window 1 --json

# RFC 6287 appendix C: one of each suite
ocra="--key-fd 3 --suite OCRA-1:HOTP"
expect 0 237653 "" $sha1 ocra $ocra-SHA1-6:QN08 --question 00000000
expect 0 $'65347737\n86775851' "" $sha256 ocra $ocra-SHA256-8:C-QN08-PSHA1 --question 12345678 --counter 0 --pin-fd 4 \
    --window 1
expect 0 83238735 "" $sha256 ocra $ocra-SHA256-8:QN08-PSHA1 --question 00000000 --pin-fd 4
expect 0 07016083 "" $sha512 ocra $ocra-SHA512-8:C-QN08 --question 00000000 --counter 0
expect 0 95209754 "" $sha512 ocra $ocra-SHA512-8:QN08-T1M --question 00000000 --timestamp $((20107446 * 60))
expect 0 28247970 "" $sha256 ocra $ocra-SHA256-8:QA08 --question CLI22220SRV11110
expect 0 15510767 "" $sha256 ocra $ocra-SHA256-8:QA08 --question SRV11110CLI22220
expect 0 18806276 "" $sha512 ocra $ocra-SHA512-8:QA08-PSHA1 --question SRV11110CLI22220 --pin-fd 4
expect 0 53095496 "" $sha256 ocra $ocra-SHA256-8:QA08 --question SIG10000
expect 0 77537423 "" $sha512 ocra $ocra-SHA512-8:QA10-T1M --question SIG1000000 --timestamp $((20107446 * 60))

# Secrets that are not there
refuse "descriptor 9 of --key-fd is not open" $sha1 hotp --key-fd 9
refuse "descriptor -1 of --key-fd is not open" $sha1 hotp --key-fd=-1
refuse "the secret from --key-fd 5 is empty" $sha1 hotp --key-fd 5
refuse "the secret from --key-fd 3 is empty" "" hotp --key-fd 3
refuse "there is no terminal to ask for the secret; give it with --key-fd" $sha1 hotp
refuse "there is no terminal to ask for the secret; give it with --pin-fd" $sha256 ocra \
    $ocra-SHA256-8:QN08-PSHA1 --question 1
refuse "the secret from --pin-fd 5 is empty" $sha256 ocra $ocra-SHA256-8:QN08-PSHA1 --question 1 --pin-fd 5
refuse "the suite has no PIN" $sha1 ocra $ocra-SHA1-6:QN08 --question 1 --pin-fd 4

# Keys and options that cannot be used; no message repeats the key
refuse "the key is not Base32: .* at position 6$" CANARY18 hotp --key-fd 3
refuse "the key is not hexadecimal: .* at position 2$" CANARY18 hotp --key-fd 3 --key-format hex
refuse "a code has 6 to 10 digits" $sha1 hotp --key-fd 3 --digits 5
refuse "a time step has 1 to 86400 seconds" $sha1 totp --key-fd 3 --step 0
refuse "" $sha1 totp --key-fd 3 --time tomorrow
refuse "" $sha1 totp --key-fd 3 --time 2023-02-29T00:00:00Z
refuse "" $sha1 totp --key-fd 3 --algorithm md5
refuse "" $sha1 hotp --key-fd 3 --counter=-1
refuse "" $sha1 hotp --key-fd 3 --counter 18446744073709551616
refuse "--window must be 0 to 100000" $sha1 hotp --key-fd 3 --window=-1
refuse "--window must be 0 to 100000" $sha1 hotp --key-fd 3 --window 100001
refuse "a suite has the form OCRA-1:function:input" $sha1 ocra --key-fd 3 --suite X --question 1
refuse "the question must be decimal digits" $sha1 ocra $ocra-SHA1-6:QN08 --question 1x
refuse "the suite needs a counter" $sha1 ocra $ocra-SHA1-6:C-QN08 --question 1
refuse "the suite has no counter" $sha1 ocra $ocra-SHA1-6:QN08 --question 1 --counter 1
refuse "the suite needs session information" $sha1 ocra $ocra-SHA1-6:QN08-S064 --question 1
refuse "the suite has no time" $sha1 ocra $ocra-SHA1-6:QN08 --question 1 --timestamp 1
refuse "--window needs a suite with a counter or the time" $sha1 ocra $ocra-SHA1-6:QN08 --question 1 --window 1
refuse "a suite with ten digits is not allowed" $sha1 ocra $ocra-SHA1-10:QN08 --question 1
refuse "" $sha1 hotp --key $sha1
refuse "" $sha1 rubbish

echo "oath-calculator: $cases cases, $failures failed"
[ "$failures" -eq 0 ]
