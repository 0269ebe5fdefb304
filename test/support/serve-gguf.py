"""Serves a GGUF file as llama.cpp's own server does: serve-gguf.py MODEL PORT [PARALLEL]."""

import signal
import sys

import xllamacpp

model, port = sys.argv[1], int(sys.argv[2])
parallel = int(sys.argv[3]) if len(sys.argv) > 3 else 1

params = xllamacpp.CommonParams()
params.model.path = model
params.model_alias = {"small"}
params.hostnames = ["127.0.0.1"]
params.port = port
params.n_ctx = 8192 * parallel
params.n_parallel = parallel
# Threads of a batch spin while they wait for each other: one core is left to others.
params.cpuparams.n_threads = 1

server = xllamacpp.Server(params)
print(f"serves {model} at {server.listening_address}", flush=True)
signal.pause()
