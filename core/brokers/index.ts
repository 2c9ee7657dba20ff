/** The message brokers of the HTTP gateway. */
export { brokersShape, type BrokersConfig } from './broker-config';
export { runBrokers, type BrokersContext } from './run-brokers';
export { requireSupported } from './supported-brokers';
