/** Replaces unused renderers of the QR code library in the bundle (gulpfile.js). */
module.exports = {};
