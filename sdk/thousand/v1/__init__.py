"""Generated from proto/thousand/v1 by proto/generate.py; do not edit."""
