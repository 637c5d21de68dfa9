"""Peers that try to speak with controllers from outside."""
import contextlib
import socket
import ssl
import subprocess

from daqlab_lib import control

MEMBERS = 2550
NODES = (control.OVSDB_PORT, control.OPENFLOW_PORT)
HELLO = b"AKKA\x01"  # how a member begins
PATIENCE = 5  # seconds
QUIET = 1  # seconds in which a peer that is not wanted hears of it


def papers(folder, member):
    """who -> key and certificate; the first may speak."""
    pki = member.ca.parent
    own = pki / member.address
    other = folder / "other"
    _run(member.home / "bin/certificates", other, member.address)
    # a switch's, of a CA that is for all
    switch = folder / "switch"
    switch.mkdir()
    _run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=p1s1", "-addext", "subjectAltName=DNS:p1s1",
         "-CA", pki / "ca.pem", "-CAkey", pki / "ca-key.pem", "-keyout", switch / "key.pem", "-out", switch / "cert.pem")
    return {"a controller": own, "another CA's": other / member.address, "a switch": switch, "nobody": None}


def is_heard(address, port, files):
    """Whether a peer with this key and certificate has a connection on which it may speak."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE  # it is the other end that refuses
    if files:
        context.load_cert_chain(files / "cert.pem", files / "key.pem")
    try:
        with socket.create_connection((address, port), PATIENCE) as plain, context.wrap_socket(plain) as peer:
            peer.sendall(HELLO)
            return _is_quiet(peer)
    except OSError:
        return False


def is_clear(address, port):
    """Whether a port takes what is not TLS: it does not hang up, and answers no alert of TLS."""
    with socket.create_connection((address, port), PATIENCE) as peer, contextlib.suppress(OSError):
        peer.sendall(HELLO)
        return _is_quiet(peer)
    return False


def _is_quiet(peer):
    """Nobody answers, and nobody hangs up."""
    peer.settimeout(QUIET)
    try:
        peer.recv(1)
    except TimeoutError:
        return True
    return False


def open_ports(member):
    """Ports of a controller that are not for itself only."""
    found = subprocess.run(["ip", "netns", "exec", member.namespace, "ss", "-Hltn"], text=True, capture_output=True, check=True)
    places = (line.split()[3].rsplit(":", 1) for line in found.stdout.splitlines())
    return {int(port) for address, port in places if "127.0.0." not in address and address != "[::1]"}


def status(member, path):
    """What HTTPS answers to a request with the login."""
    client = member.client(path="")
    with client.open(client.request("GET", path, "*/*"), PATIENCE) as answer:
        return answer.status


def _run(*command):
    subprocess.run([*map(str, command)], check=True, capture_output=True)
