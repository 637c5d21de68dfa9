# shellcheck shell=bash
# For walks: ssh, scp and systemctl reach the lab's controllers and nodes instead of machines. WALK_HOMES is the controller's
# folder, or has those of several, 1 for the one at ...11 and so on; WALK_NODES is a folder for the files of nodes.
_there() { # HOST TEXT: the text with the host's own places
    case $1 in
    *.*.*.*)
        local home=$WALK_HOMES/$((${1##*.} - 10))
        [ -d "$home" ] || home=$WALK_HOMES
        printf '%s' "${2//\/opt\/daqfabric/$home}"
        ;;
    *) printf '%s' "${2//\/etc\/openvswitch/$WALK_NODES/$1}" ;;
    esac
}

scp() { # OPTIONS FROM... HOST:TO
    local to=${*: -1}
    to=$(_there "${to%%:*}" "${to#*:}")
    case $to in */) mkdir -p "$to" ;; esac
    cp -r "${@:2:$#-2}" "$to"
}

ssh() { # HOST COMMAND...
    local host=$1 command
    command=$(_there "$1" "${*:2}")
    case $host in
    *.*.*.*)
        case $command in
        "systemctl start daqfabric") "$WALK_LAB/daqlab" controller start $((${host##*.} - 10)) ;;
        *) bash -c "$command" ;;
        esac
        ;;
    *) "$WALK_LAB/daqlab" exec "${host##*.}" -- sh -c "$command" ;; # system-ids of tests have their fabric before a dot
    esac
}
