-- Repeats one request: a GET, or a POST whose body is the file named by the argument. Prints
-- a JSON array: requests, microseconds, failures, and latencies in milliseconds.

function init(args)
  if args[1] then
    wrk.method = "POST"
    wrk.body = assert(io.open(args[1], "rb")):read("*a")
  end
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.status + errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format(
    "\n[%d,%d,%d,%f,%f,%f,%f]\n", summary.requests, summary.duration, failed,
    latency:percentile(50) / 1000, latency:percentile(95) / 1000,
    latency:percentile(99) / 1000, latency.max / 1000
  ))
end
