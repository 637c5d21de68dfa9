"""The list of parts of the distribution (SBOM), in CycloneDX's form: scripts/sbom."""
