# shellcheck shell=sh
# Sourced by scripts that run programs with a lab in a network of their own: the machine's buffers of sockets as the lab needs
# them, from raise_buffers until restore_buffers. They can be set in the machine's own network only.
buffers= # of the machine, as they were

raise_buffers() {
    buffers=$(python3 -c 'from lab.daqlab_lib import control
small = control.small_buffers()
control.raise_buffers(small)
print(*(f"{name}={value}" for name, value in small.items()))')
}

restore_buffers() {
    # shellcheck disable=SC2086 # a word each
    [ -z "$buffers" ] || sysctl -qw $buffers
    buffers=
}
