"""Serves a GGUF file as llama.cpp's own server does: serve-gguf.py MODEL PORT CONTEXT."""

import signal
import sys

import xllamacpp

model, port, context = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])

params = xllamacpp.CommonParams()
params.model.path = model
params.model_alias = {"small"}
params.hostnames = ["127.0.0.1"]
params.port = port
params.n_ctx = context
params.n_parallel = 1
# Threads of a batch spin while they wait for each other: one core is left to others.
params.cpuparams.n_threads = 1

server = xllamacpp.Server(params)
print(f"serves {model} at {server.listening_address}", flush=True)
signal.pause()
