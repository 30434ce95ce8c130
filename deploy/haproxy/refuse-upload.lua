-- Reads an upload that is too large, then answers 413. /etc/haproxy/refuse-upload.lua.
-- With `http-request deny`, browsers and API clients see a broken connection instead of the answer: before 3.0, HAProxy
-- closes the connection of a client that is still sending (github.com/haproxy/haproxy/issues/2404).

-- Beyond these bounds it answers and closes, and the client may see a broken connection.
-- The servers allow 300 s for an upload, too.
local MAX_BYTES = 106000000
local MAX_SECONDS = 300

local BODY = '<html><body><h1>413 Content Too Large</h1></body></html>\n'

core.register_service('refuse-upload', 'http', function(applet)
  local left, deadline = MAX_BYTES, core.now().sec + MAX_SECONDS
  while left > 0 and core.now().sec < deadline do
    local part = applet:receive(16384)
    if part == nil or #part == 0 then break end
    left = left - #part
  end
  applet:set_status(413)
  applet:add_header('Content-Type', 'text/html')
  applet:add_header('Content-Length', tostring(#BODY))
  applet:start_response()
  applet:send(BODY)
end)
