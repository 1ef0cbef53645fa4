-- Repeats one request. Arguments: the method and, for a
-- POST, the file with its body. Prints the summary as a line of JSON, latencies
-- in microseconds.

function init(args)
  wrk.method = args[1]
  if args[2] then
    local file = assert(io.open(args[2], "rb"))
    wrk.body = file:read("*a")
    file:close()
  end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"duration":%d,"p50":%d,"p99":%d,"status":%d,"broken":%d}\n',
    summary.requests,
    summary.duration,
    latency:percentile(50),
    latency:percentile(99),
    errors.status,
    errors.connect + errors.read + errors.write + errors.timeout
  ))
end
