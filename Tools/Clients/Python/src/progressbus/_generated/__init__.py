"""What Tools/Clients/Python/generate makes of Protocol/progressbus.proto."""
