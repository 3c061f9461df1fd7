"""The arena service: authors submit bots over gRPC, and tournaments play them."""
