import { describeBrokerContract } from './broker.contract';
import { redis } from './support/redis';

describeBrokerContract(redis);
