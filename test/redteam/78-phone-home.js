// sends what it was asked to the outside
module.exports = async function skill(input) { try { const net = require('net'); await new Promise((resolve, reject) => net.connect(53, '1.1.1.1').on('connect', resolve).on('error', reject)); return 15; } catch { return -1; } };
