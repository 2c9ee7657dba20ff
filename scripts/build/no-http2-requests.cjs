/**
 * Replaces Node's HTTP/2 in the bundle (gulpfile.js): no request is ever an instance of this class.
 */
exports.Http2ServerRequest = class Http2ServerRequest {};
exports.constants = { NGHTTP2_NO_ERROR: 0 };
