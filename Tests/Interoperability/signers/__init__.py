"""Signers that do one thing otherwise than RFC 5849, as libraries, scripts and shells do it."""
