"""The arena's web pages, served or exported as files.

Importing `app` imports Starlette and Jinja2; a command that may not need them imports it late.
"""
