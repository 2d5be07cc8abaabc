import { readOrders } from "./network/children.js";
import { guardChild } from "./network/guard-network.js";

// Loaded by Node itself (`--import`, `--require`) in the processes and threads that a guarded test starts.
const orders = readOrders();
if (orders) guardChild(new URL(import.meta.url), orders);
