/* Bundle with the driver alone, loaded when the first PostgreSQL store is opened. */
export { Client } from 'pg';
