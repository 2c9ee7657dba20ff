/** Stands in the bundle for Node's HTTP/2 (gulpfile.js): no request is ever one of its own. */
exports.Http2ServerRequest = class Http2ServerRequest {};
exports.constants = { NGHTTP2_NO_ERROR: 0 };
