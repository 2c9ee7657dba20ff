import { describeBrokerContract } from './broker.contract';
import { rabbitmq } from './support/rabbitmq';

describeBrokerContract(rabbitmq);
