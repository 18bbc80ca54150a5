"""What requests and answers look like: requests are checked by these, answers documented."""
