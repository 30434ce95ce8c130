"""Passes the webhook of the environment to the sample, then one with another body."""
import json
import os

from webhook import receive

headers, body, secret = json.loads(os.environ["HEADERS"]), os.environ["BODY"], os.environ["SECRET"]
event = receive(headers, body.encode(), secret)
print("received", event.type_, event.data.verification_id)
try:
    receive(headers, (body + " ").encode(), secret)
except Exception:
    print("forged")
