"""Certificates that sign themselves."""
from datetime import UTC, datetime, timedelta

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa


def write_certificate(certificate, key, name):
    """For a day, with an alternative name of x509; in DER unless the file's name ends in pem."""
    private = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, str(name.value))])
    now = datetime.now(UTC)
    made = x509.CertificateBuilder().subject_name(subject).issuer_name(subject).public_key(private.public_key()).serial_number(
        x509.random_serial_number()).not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1)).add_extension(
        x509.SubjectAlternativeName([name]), critical=False).sign(private, hashes.SHA256())
    encoding = serialization.Encoding.PEM if certificate.suffix == ".pem" else serialization.Encoding.DER
    certificate.write_bytes(made.public_bytes(encoding))
    key.write_bytes(private.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
