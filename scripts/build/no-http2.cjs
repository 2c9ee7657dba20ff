/** Replaces undici's HTTP/2 client in the bundle (gulpfile.js). */
module.exports = function connectH2() {
	throw new TypeError('HTTP/2 is not part of this package');
};
