"""What Tools/python/generate makes of Protocol/progressbus.proto."""
