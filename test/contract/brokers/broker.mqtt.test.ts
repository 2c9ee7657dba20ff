import { describeBrokerContract } from './broker.contract';
import { mosquitto } from './support/mosquitto';

describeBrokerContract(mosquitto);
