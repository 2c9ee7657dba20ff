/** Replaces the timers that the MQTT client uses in browsers only (broker-clients.cjs). */
module.exports = {};
