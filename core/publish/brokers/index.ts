/** Message brokers of the HTTP gateway. */
export { brokersShape } from './broker-config';
export { runBrokers } from './run-brokers';
export { requireSupported } from './supported-brokers';
