"""The OpenAPI document as a product: what it keeps from release to release, and its examples."""
