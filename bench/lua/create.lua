-- Adds the same animal again and again.
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.body = '{"name":"Rex","categoryId":1,"status":"available"}'
