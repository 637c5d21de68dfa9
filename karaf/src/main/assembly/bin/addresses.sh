#!/bin/sh
# Sourced by the commands of this folder and by `daqfabric`, which take addresses and ports from people: the one reader of them.

is_port() {
    case $1 in '' | *[!0-9]* | 0* | ??????*) return 1 ;; esac
    [ "$1" -le 65535 ]
}

# read_address TEXT: sets kind (ipv4, ipv6 or name), host and port, which is empty where none is given. Returns 1 for what is none
# of ADDRESS, ADDRESS:PORT, [ADDRESS] and [ADDRESS]:PORT, the last two for IPv6. A host is always written in the same form (IPv6 as
# RFC 5952 has it, without []), because members of a cluster compare addresses as text.
read_address() {
    found=$(TEXT=$1 awk "$reader") || return 1
    # shellcheck disable=SC2034 # for who calls it
    kind=${found%% *}
    host=${found#* }
    port=${host#* }
    host=${host%% *}
    [ -z "$port" ] || is_port "$port"
}

# A host as it stands before a port, and in a URL
bracketed() {
    case $1 in *:*) echo "[$1]" ;; *) echo "$1" ;; esac
}

# shellcheck disable=SC2016 # awk's own variables
reader='
function ipv4(text,    part, n, i) {
    n = split(text, part, ".")
    for (i = 1; i <= n; i++) {
        if (part[i] !~ /^(0|[1-9][0-9]*)$/ || length(part[i]) > 3 || part[i] > 255) {
            return ""
        }
    }
    return n == 4 ? text : ""
}
function groups(text, into,    n, i) {
    n = text == "" ? 0 : split(text, into, ":")
    for (i = 1; i <= n; i++) {
        if (into[i] !~ /^[0-9a-f]+$/ || length(into[i]) > 4) {
            return 99
        }
        sub(/^0+/, "", into[i])
        if (into[i] == "") {
            into[i] = "0"
        }
    }
    return n
}
function ipv6(text,    half, left, right, parts, n, m, i, from, longest, run, shown) {
    text = tolower(text)
    parts = split(text, half, "::")
    n = groups(half[1], left)
    m = parts == 2 ? groups(half[2], right) : 0
    if (parts == 1 ? n != 8 : parts != 2 || n + m > 7) {
        return ""
    }
    for (i = 1; i <= m; i++) {
        left[8 - m + i] = right[i]
    }
    for (i = n + 1; i <= 8 - m; i++) {
        left[i] = "0"
    }
    longest = 1
    for (i = 1; i <= 9; i++) {
        if (i <= 8 && left[i] == "0") {
            run++
            continue
        }
        if (run > longest) {
            longest = run
            from = i - run
        }
        run = 0
    }
    for (i = 1; i <= 8; i++) {
        if (i == from) {
            shown = shown "::"
            i += longest - 1
        } else {
            shown = shown (shown == "" || shown ~ /:$/ ? "" : ":") left[i]
        }
    }
    return shown
}
function name(text,    part, n, i) {
    text = tolower(text)
    n = split(text, part, ".")
    for (i = 1; i <= n; i++) {
        if (part[i] !~ /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/ || length(part[i]) > 63) {
            return ""
        }
    }
    return n && part[n] ~ /[a-z]/ && length(text) <= 253 ? text : ""
}
BEGIN {
    text = ENVIRON["TEXT"]
    colons = gsub(/:/, ":", text)
    if (text ~ /^\[[^]]*\](:[0-9]+)?$/) {
        host = ipv6(substr(text, 2, index(text, "]") - 2))
        port = substr(text, index(text, "]") + 2)
        kind = "ipv6"
    } else if (colons > 1) {
        host = ipv6(text)
        kind = "ipv6"
    } else {
        if (colons) {
            port = substr(text, index(text, ":") + 1)
            text = substr(text, 1, index(text, ":") - 1)
            if (port !~ /^[0-9]+$/) {
                exit 1
            }
        }
        kind = text ~ /^[0-9.]*$/ ? "ipv4" : "name"
        host = kind == "ipv4" ? ipv4(text) : name(text)
    }
    if (host == "") {
        exit 1
    }
    print kind, host, port
}'
